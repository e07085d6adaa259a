import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** A tokenizer's callbacks that ignore every token, for classes of callbacks to extend. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its methods are set below, all the same
export const NoCallbacks = class {} as new () => TokenizerCallbacks;
const ignore = (): void => undefined;
Object.assign(NoCallbacks.prototype, {
  onattribdata: ignore, onattribend: ignore, onattribentity: ignore, onattribname: ignore, oncdata: ignore,
  onclosetag: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore, onopentagend: ignore,
  onopentagname: ignore, onprocessinginstruction: ignore, onselfclosingtag: ignore, ontext: ignore,
  ontextentity: ignore,
} satisfies TokenizerCallbacks);

/** Puts together the pieces of a text and what its character references stand for. */
class Decoder extends NoCallbacks {
  readonly #tokenizer = new Tokenizer({}, this);
  #text = '';
  #value = '';

  decoded(text: string): string {
    this.#text = text;
    this.#value = '';
    this.#tokenizer.reset();
    this.#tokenizer.write(text);
    this.#tokenizer.end();
    this.#text = '';
    return this.#value;
  }

  override onattribdata(start: number, end: number): void { this.ontext(start, end); }

  override ontext(start: number, end: number): void { this.#value += this.#text.slice(start, end); }

  override onattribentity(codePoint: number): void { this.ontextentity(codePoint); }

  override ontextentity(codePoint: number): void { this.#value += String.fromCodePoint(codePoint); }
}

const decoder = new Decoder();

/** An attribute's value with its character references resolved: by the tokenizer, as the one attribute of a tag. */
export function withReferences(raw: string): string {
  return raw.includes('&') ? decoder.decoded(`<a b="${raw.replaceAll('"', '&quot;')}">`) : raw;
}

/** Text between tags, with its character references resolved: by the tokenizer, as a text without tags. */
export function withTextReferences(raw: string): string {
  return raw.includes('&') ? decoder.decoded(raw.replaceAll('<', '&lt;')) : raw;
}
