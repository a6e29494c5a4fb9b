import { closeTestDb } from '../support/database';

afterAll(closeTestDb);
