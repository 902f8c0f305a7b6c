import rxjs from 'rxjs';
export const { TestScheduler } = rxjs.testing;
