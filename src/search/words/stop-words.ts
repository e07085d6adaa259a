/**
 * English words that say nothing of a document: the list of NLTK (Bird, Klein & Loper 2009), 179 entries. Its
 * contractions are two words each here, as in documents; all of these are in the list by themselves.
 */
export const englishStopWords: ReadonlySet<string> = new Set(`
  i me my myself we our ours ourselves you re ve ll d your yours yourself yourselves he him his himself she s
  her hers herself it its itself they them their theirs themselves what which who whom this that these those am
  is are was were be been being have has had having do does did doing a an the and but if or because as until
  while of at by for with about against between into through during before after above below to from up down in
  out on off over under again further then once here there when where why how all any both each few more most
  other some such no nor not only own same so than too very t can will just don should now m o y ain aren couldn
  didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn
`.trim().split(/\s+/));
