import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const nothing = (): void => undefined;
/** A tokenizer's callbacks that ignore every token. */
export const noCallbacks: TokenizerCallbacks = {
  onattribdata: nothing, onattribend: nothing, onattribentity: nothing, onattribname: nothing, oncdata: nothing,
  onclosetag: nothing, oncomment: nothing, ondeclaration: nothing, onend: nothing, onopentagend: nothing,
  onopentagname: nothing, onprocessinginstruction: nothing, onselfclosingtag: nothing, ontext: nothing,
  ontextentity: nothing,
};

let value = '';
let wrapped = '';
const add = (start: number, end: number): void => { value += wrapped.slice(start, end); };
const addCharacter = (codePoint: number): void => { value += String.fromCodePoint(codePoint); };
const decoding = new Tokenizer({}, {
  ...noCallbacks, onattribdata: add, onattribentity: addCharacter, ontext: add, ontextentity: addCharacter,
});

function decoded(text: string): string {
  value = '';
  wrapped = text;
  decoding.reset();
  decoding.write(wrapped);
  decoding.end();
  wrapped = '';
  return value;
}

/** An attribute's value with its character references resolved: by the tokenizer, as the one attribute of a tag. */
export function withReferences(raw: string): string {
  return raw.includes('&') ? decoded(`<a b="${raw.replaceAll('"', '&quot;')}">`) : raw;
}

/** Text between tags, with its character references resolved: by the tokenizer, as a text without tags. */
export function withTextReferences(raw: string): string {
  return raw.includes('&') ? decoded(raw.replaceAll('<', '&lt;')) : raw;
}
