/** The same numbers in every run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }
}

const SYLLABLES =
  "ba be bi bo da de di do fa fe ga ge ka ke ki la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve za".split(
    " ",
  );
const KNOWN =
  "the a of to and in is that it for file test error function value return when with this not line code change run build fix add remove update check handler request response session daemon hook index search agent token cache write read path folder commit branch".split(
    " ",
  );

/** Words as people and programs use them: few of them often, most of them rarely. */
export class Vocabulary {
  readonly #words: string[];
  readonly #dice: Dice;

  constructor(dice: Dice, size = 30_000) {
    this.#dice = dice;
    this.#words = [...KNOWN];
    while (this.#words.length < size) {
      const length = 2 + dice.below(3);
      let word = "";
      for (let at = 0; at < length; at++) word += SYLLABLES[dice.below(SYLLABLES.length)];
      this.#words.push(word);
    }
  }

  word(): string {
    // About as Zipf has it: the rank is as likely as its inverse.
    const rank = Math.floor(this.#words.length ** this.#dice.next()) - 1;
    return this.#words[Math.max(0, rank)] ?? "the";
  }

  prose(characters: number): string {
    let text = "";
    while (text.length < characters) {
      const end = this.#dice.below(12) === 0 ? ". " : " ";
      text += this.word() + end;
    }
    return text.trimEnd();
  }

  name(): string {
    const [first, second] = [this.word(), this.word()];
    return `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  }

  path(): string {
    return `src/${this.word()}/${this.word()}-${this.word()}.ts`;
  }

  code(characters: number): string {
    let text = "";
    for (let line = 1; text.length < characters; line++) {
      text += `${line}\tconst ${this.name()} = await ${this.name()}(${this.word()}, "${this.word()} ${this.word()}");\n`;
    }
    return text;
  }
}
