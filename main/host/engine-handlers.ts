// The contract's commands, answered by the engine.
import type { CommandName } from '../contract/commands.ts';
import type { Handlers } from '../contract/requests.ts';
import type { HostedEngine } from './engine-face.ts';

export function engineHandlers(engine: HostedEngine): Pick<Handlers, CommandName> {
  return {
    submit: async (request) => await engine.submit(request),
    cancel: async ({ job }) => ({ ended: engine.cancel(job) }),
    retry: async ({ job, requestKey }) => await engine.retry(job, requestKey),
    preload: async ({ circuit, device }) => ({ devices: await engine.preload(circuit, device) }),
    evict: async ({ circuit, device }) => ({ devices: engine.evict(circuit, device) }),
  };
}
