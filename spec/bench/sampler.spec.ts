import { describe, expect, it } from '@jest/globals';
import { environmentOf } from '../../bench/support/sampler.mjs';

describe('the environment of a sample', () => {
  it('has nothing that makes the start of a server longer for those that hand all of it on', () => {
    const env = { PATH: '/bin', NODE_OPTIONS: '--max-semi-space-size=64', NODE_EXTRA_CA_CERTS: '/certificates.pem' };
    expect(environmentOf(env)).toEqual({ PATH: '/bin', NODE_OPTIONS: '--max-semi-space-size=64' });
  });

  it('names the file for a profile where one is wanted', () => {
    expect(Object.values(environmentOf({ PATH: '/bin' }, 'a.cpuprofile'))).toEqual(['/bin', 'a.cpuprofile']);
  });
});
