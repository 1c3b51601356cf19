/**
 * Questions about paths and changes of names over FTP ({@link io.hawser.agenta.ftp.namespace.PathQueries}, {@link
 * io.hawser.agenta.ftp.namespace.ChangeWait}), and listings.
 */
@NullMarked
package io.hawser.agenta.ftp.namespace;

import org.jspecify.annotations.NullMarked;
