import { closeTestDb } from '../support/database';
import { removeTestMail } from '../support/mail';
import { closeServers } from '../support/server';
import { removeTestStorage } from '../support/storage';

afterAll(closeServers);
afterAll(closeTestDb);
afterAll(removeTestStorage);
afterAll(removeTestMail);
