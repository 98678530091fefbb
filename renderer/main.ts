import { mount } from './app/mount.ts';
import { webSocketConnection } from './transport/web-socket.ts';

mount(webSocketConnection());
