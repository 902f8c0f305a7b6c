import { mount } from 'svelte';
import Bakery from './Bakery.svelte';

const target = document.getElementById('app');
if (target !== null) mount(Bakery, { target });
