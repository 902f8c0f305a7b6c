// Needed only where Angular's own libraries are not linked ahead of time; the Angular CLI does that.
import '@angular/compiler';
import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { BakeryComponent } from './bakery.component.js';

bootstrapApplication(BakeryComponent, { providers: [provideZonelessChangeDetection()] }).catch((error: unknown) => {
  console.error(error);
});
