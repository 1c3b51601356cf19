package io.hawser.agenta.namespace;

import io.hawser.core.ftp.FtpPath;

/**
 * What a change of a name, time or mode is about.
 *
 * @param path as the client named it
 * @param place where that is
 * @param directory whether it is a directory, and not a symbolic link to one
 * @param onItsWay whether it was accepted here and is not delivered yet
 */
public record ChangedPath(FtpPath path, Namespace.Place place, boolean directory, boolean onItsWay) {}
