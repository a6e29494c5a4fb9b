import { closeTestDb } from '../support/database';
import { checkDatabase } from '../support/invariants';
import { removeTestMail } from '../support/mail';
import { lowerPasswordCost, useProductionPasswordCost } from '../support/password-cost';
import { closeServers } from '../support/server';
import { removeTestStorage } from '../support/storage';

lowerPasswordCost();

afterAll(closeServers);
afterAll(checkDatabase);
afterAll(closeTestDb);
afterAll(removeTestStorage);
afterAll(removeTestMail);
afterAll(useProductionPasswordCost);
