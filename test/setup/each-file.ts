import { closeTestDb } from '../support/database';
import { checkDatabase } from '../support/invariants';
import { removeTestMail } from '../support/mail';
import { lowerPasswordCost, useProductionPasswordCost } from '../support/password-cost';
import { closePdfReader } from '../support/pdf';
import { closeServers } from '../support/server';
import { removeTestStorage } from '../support/storage';

lowerPasswordCost();

afterAll(closeServers);
afterAll(checkDatabase);
afterAll(closeTestDb);
afterAll(removeTestStorage);
afterAll(removeTestMail);
afterAll(closePdfReader);
afterAll(useProductionPasswordCost);
