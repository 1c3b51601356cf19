/**
 * Who may log in, and what each may do. Knows nothing of FTP's dialogue.
 */
@NullMarked
package io.hawser.agenta.account;

import org.jspecify.annotations.NullMarked;
