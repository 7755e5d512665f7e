/** A person may have to be asked before a hook is answered. */
const GATE_SECONDS = 600;
/** A hook that only tells is answered at once; this is for a machine that is very busy. */
const TELL_SECONDS = 60;

/** How long an agent should wait for a hook, in seconds. */
export const secondsFor = (canDecide: boolean) => (canDecide ? GATE_SECONDS : TELL_SECONDS);
