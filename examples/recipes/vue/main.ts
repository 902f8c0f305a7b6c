import { createApp } from 'vue';
import Bakery from './Bakery.vue';

createApp(Bakery).mount('#app');
