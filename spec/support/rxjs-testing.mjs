// `rxjs/testing` of the one file that is RxJS in the specs: see `jest.config.ts`.
import rxjs from 'rxjs';
export const { TestScheduler } = rxjs.testing;
