export { digestOf, MAX_DOCUMENT_WORDS, PAUSE, visitWords } from './document-words.ts';
export { MAX_WORD_CHARS, markedWords, spelledWords, wordsOf, type MarkedWord } from './fold.ts';
export { englishStopWords } from './stop-words.ts';
export { WordNumbers } from './word-numbers.ts';
