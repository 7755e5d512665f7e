// Why a question was closed without an answer, in words for people.

export const WITHDRAWN = "whoever asked does not wait any more";
/** A question that nobody would see. Whoever asked may have another way. */
export const NOBODY = "nobody is there to answer";
export const LATE = "nobody answered in time";
/** A question that would make others wait: nobody reads so many. */
export const TOO_MANY = "too many questions wait already";
/** A question that somebody put off, which is not the same as "no". */
export const HELD = "held by the user, try again later";
