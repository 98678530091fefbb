// The kernels' own figures.
import { mustRun } from '../build/say.mjs';

/** Runs cuzk_bench_micro for one curve; resolves with the objects that it prints (native/bench/micro.cpp). */
export async function micro(program, curve, sizes) {
  const output = await mustRun(program, [curve, ...sizes.map(String)]);
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
