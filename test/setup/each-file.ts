import { closeTestDb } from '../support/database';
import { removeTestStorage } from '../support/storage';

afterAll(closeTestDb);
afterAll(removeTestStorage);
