import { AsyncPipe } from '@angular/common';
import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { IDLE } from '../bakery.js';
import { BakeryService } from './bakery.service.js';

@Component({
  selector: 'recipe-bakery',
  imports: [AsyncPipe],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <main>
      <ul>
        @for (name of (bakery.tools$ | async) ?? []; track name) {
          <li>{{ name }}</li>
        }
      </ul>
      <button (click)="bakery.wish(3)">Bake three</button>
      <button (click)="bakery.wish(10_000)">Bake many</button>
      <button (click)="bakery.wish(0)">Stop</button>
      @let baking = (bakery.baking$ | async) ?? idle;
      <progress [value]="baking.progress" [max]="baking.total" aria-label="Loaves"></progress>
      <output [attr.data-status]="baking.status">{{ baking.text }}</output>
    </main>
  `,
})
export class BakeryComponent {
  protected readonly bakery = inject(BakeryService);
  protected readonly idle = IDLE;
}
