package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;

/**
 * A block of bytes that was read from a remote file.
 *
 * @param buffer its payload {@code [0, length)} are the bytes; the receiver of the block releases it
 * @param length in bytes; less than requested, also 0, only at the end of the file
 * @param file the facts of the file when they were read
 */
public record RemoteBlock(FragmentBuffer buffer, int length, RemoteFile file) {}
