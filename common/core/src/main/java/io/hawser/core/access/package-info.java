/**
 * Rights and limits of peers. An {@link io.hawser.core.access.Identity} is the owner of a certificate; {@link io.hawser.core.access.Grants} are
 * rights on topics, from the certificate or from an ACL file ({@link io.hawser.core.access.AccessRules}). An {@link
 * io.hawser.core.access.Access} is the result for one peer. A {@link io.hawser.core.access.Quota} limits how much the broker keeps for a tenant;
 * {@link io.hawser.core.access.PrincipalLimits} limit what a principal uses at once, and {@link io.hawser.core.access.PrincipalUse} counts it.
 * {@link io.hawser.core.access.ReloadingAccessFile} reads the ACL file again when it changes.
 */
@NullMarked
package io.hawser.core.access;

import org.jspecify.annotations.NullMarked;
