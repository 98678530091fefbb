// The app on an engine that does not exist, to look at screens without proving anything. Never shipped: the shipped page starts in main.ts.
//
//   demo.html                the recording, from its begin
//   demo.html?at=12000       from 12 s on; &speed=0 stands still there
//   demo.html?scenario=empty an engine with nothing to do
//   demo.html?scenario=load  64 workers, 4,096 partitions, 2,000 events a second
import { mount } from '../app/mount.ts';
import { RecordedConnection, type Recording } from '../transport/recorded-connection.ts';
import { appAnswers } from './app-answers.ts';
import { LoadConnection } from './load-connection.ts';
import recorded from './recorded.json';

const flags = new URLSearchParams(location.search);
const answers = appAnswers;
const recording = recorded as unknown as Recording;

function connection() {
  switch (flags.get('scenario')) {
    case 'load':
      return new LoadConnection();
    case 'empty':
      return new RecordedConnection({ ...recording, events: [] }, { answers });
    default:
      return new RecordedConnection(recording, {
        fromMs: Number(flags.get('at') ?? 0),
        speed: Number(flags.get('speed') ?? 1),
        answers,
      });
  }
}

mount(connection());
