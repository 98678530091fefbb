import { mount } from './app/mount.ts';
import { httpConnection } from './transport/http-connection.ts';

mount(httpConnection());
