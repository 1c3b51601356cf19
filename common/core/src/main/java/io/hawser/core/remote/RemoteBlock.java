package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;

/**
 * A block of bytes that was read from a remote file.
 *
 * @param buffer its payload {@code [0, length)} are the bytes; whoever is given the block releases it
 * @param length how many there are; fewer than asked for, also 0, only at the end of the file
 * @param file the file as it was when they were read
 */
public record RemoteBlock(FragmentBuffer buffer, int length, RemoteFile file) {}
