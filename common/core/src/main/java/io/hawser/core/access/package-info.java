/**
 * Who may do what on which topic. An {@link io.hawser.core.access.Identity} is what a certificate says of its owner; {@link
 * io.hawser.core.access.Grants} are rights on topics, from the certificate or from the lines of an ACL file, which {@link
 * io.hawser.core.access.AccessRules} are made of. A {@link io.hawser.core.access.Quota} is a line that bounds what the broker keeps
 * for somebody; {@link io.hawser.core.access.PrincipalLimits} bound what each principal may take at once, and {@link
 * io.hawser.core.access.PrincipalUse} counts it. {@link io.hawser.core.access.AccessFile} reads that file again when it
 * changes. An {@link io.hawser.core.access.Access} is what comes out for one peer.
 */
@NullMarked
package io.hawser.core.access;

import org.jspecify.annotations.NullMarked;
