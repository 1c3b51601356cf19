/**
 * Unmodified clients against the chain as real processes. Each test is a shell script as a user would type it; recipes carry the
 * letter of their client (C curl, L lftp, N ncftp, P Python's ftplib, W wget, T tnftp, G globus-url-copy).
 */
package io.hawser.it.interop;
