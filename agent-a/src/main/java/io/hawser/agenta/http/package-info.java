/**
 * The HTTP front: files by GET, HEAD and PUT, directories as page or JSON, changes by DELETE and MKCOL.
 *
 * <p>{@link io.hawser.agenta.http.HttpFront} listens. Each request is a {@link io.hawser.agenta.http.ClientRequest}, which logs in and
 * hands on to one of {@code FileUpload}, {@code FileRequest} with {@code FileDownload}, {@code DirectoryRequest} and {@code NameChange}.
 * How messages are framed is {@code io.hawser.ops.http}'s; what a file is, is that of the packages which all fronts share.
 */
@NullMarked
package io.hawser.agenta.http;

import org.jspecify.annotations.NullMarked;
