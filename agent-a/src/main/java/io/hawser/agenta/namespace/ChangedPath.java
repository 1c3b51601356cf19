package io.hawser.agenta.namespace;

import io.hawser.core.ftp.FtpPath;

/**
 * What a change of a name, time or mode is about, as it was when it was found.
 *
 * @param path as the client named it
 * @param place where that is
 * @param directory whether it is a directory, and not a symbolic link to one
 * @param onItsWay whether it was accepted here and is not delivered yet
 * @param lastTouch see {@link NamespaceService#lastTouch}: another number now means that this may no longer hold
 */
public record ChangedPath(FtpPath path, Namespace.Place place, boolean directory, boolean onItsWay, long lastTouch) {}
