// CUZK_ISA: an arithmetic that cannot be had is refused, and never replaced by another one in silence.
import { describe, expect, it } from 'vitest';
import { cuzk, errorOf, eventsOf } from './cuzk.ts';

describe('a wrong CUZK_ISA', () => {
  it('is refused, with the names that are possible on this machine', async () => {
    const finished = await cuzk(['devices', '--json'], { env: { CUZK_ISA: 'avx3' } });
    expect(finished.code).toBe(1);
    expect(errorOf(finished)).toMatchObject({
      code: 'IsaUnavailable',
      message: 'CUZK_ISA is avx3, which names no arithmetic',
      remedy: expect.stringMatching(/^unset CUZK_ISA, or set it to one of those possible here: portable(, adx)?(, ifma)?$/),
    });
  });

  it('is what the doctor finds lacking', async () => {
    const finished = await cuzk(['doctor', '--json'], { env: { CUZK_ISA: 'avx3' } });
    expect(finished.code).toBe(1);
    const [report] = eventsOf(finished) as unknown as { findings: { name: string; ok: boolean; found: string }[] }[];
    expect(report!.findings).toContainEqual(
      expect.objectContaining({ name: 'arithmetic', ok: false, found: 'CUZK_ISA is avx3, which names no arithmetic' }),
    );
  });
});

it.each(['portable', ''])('CUZK_ISA=%s is met', async (wish) => {
  const finished = await cuzk(['devices', '--json'], { env: { CUZK_ISA: wish } });
  expect(finished.code, finished.stderr).toBe(0);
  const [{ devices }] = eventsOf(finished) as unknown as [{ devices: { isa: string }[] }];
  expect(devices[0]!.isa).toMatch(wish || /portable|adx|ifma/);
});
