import { closeTestDb } from '../support/database';
import { checkDatabase } from '../support/invariants';
import { removeTestMail } from '../support/mail';
import { closeServers } from '../support/server';
import { removeTestStorage } from '../support/storage';

afterAll(closeServers);
afterAll(checkDatabase);
afterAll(closeTestDb);
afterAll(removeTestStorage);
afterAll(removeTestMail);
