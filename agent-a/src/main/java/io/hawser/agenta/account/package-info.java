/** Accounts: who may log in, and what each may do. Password checks, and the guard against guessing. {@code hawser user} edits the users file. */
@NullMarked
package io.hawser.agenta.account;

import org.jspecify.annotations.NullMarked;
