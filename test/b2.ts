import { componentAlgorithms } from '/work/h1/src/graph/growing/index.ts';
import { readFileSync } from 'node:fs';
const [name, pagesText, file, rounds='30'] = process.argv.slice(2);
const b = readFileSync(file); const arcs = new Uint32Array(b.buffer, b.byteOffset, b.length/4);
const alg = componentAlgorithms.find((a)=>a.name===name)!;
const W:number[]=[];
for(let r=0;r<Number(rounds);r++){ const g=alg.make(Number(pagesText),1); const w=performance.now();
 for(let i=0;i<arcs.length;i+=2) g.addArc(arcs[i],arcs[i+1]);
 W.push(performance.now()-w);}
console.log(name, file, W.map(x=>x.toFixed(2)).join(' '));
