/**
 * Nodes that have a valid certificate and break the rules: raw peers that say anything of the hop protocol, at real processes with TLS and an
 * ACL file. Whatever they say is refused or has no effect, is audited where it is an attempt at something, takes bounded memory and log, and
 * the honest nodes beside them are served. {@link io.hawser.it.hostile.Attack} is a program that does one of these things as fast as it can,
 * for {@code bench hostile}.
 */
@NullMarked
package io.hawser.it.hostile;

import org.jspecify.annotations.NullMarked;
