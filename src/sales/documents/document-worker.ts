import { serveTasks } from '../../platform/serve-tasks';
import { renderDocument } from './render-document';

serveTasks(renderDocument);
