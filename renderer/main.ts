import { mount } from './app/mount.ts';
import { bridgeConnection, bridgeOf } from './transport/bridge.ts';
import { webSocketConnection } from './transport/web-socket.ts';

const bridge = bridgeOf(window);
mount(bridge ? bridgeConnection(bridge) : webSocketConnection());
