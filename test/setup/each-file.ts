import { closeTestDb } from '../support/database';
import { removeTestMail } from '../support/mail';
import { removeTestStorage } from '../support/storage';

afterAll(closeTestDb);
afterAll(removeTestStorage);
afterAll(removeTestMail);
