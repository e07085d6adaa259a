export { lightColours, type ColourName } from '../../colours.ts';
export { csvText, type Table } from '../../csv-text.ts';
export { escaped, HEAD_HEIGHT, keyLines, svgFile } from './svg-file.ts';
