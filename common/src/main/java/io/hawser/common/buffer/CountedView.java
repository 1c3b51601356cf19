package io.hawser.common.buffer;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** A Netty view of a fragment buffer's payload that gives its reference back when Netty is done with it. */
final class CountedView extends UnpooledDirectByteBuf {
    private final FragmentBuffer owner;

    /** Takes over one reference to {@code owner}. */
    CountedView(FragmentBuffer owner, ByteBuffer payload) {
        super(UnpooledByteBufAllocator.DEFAULT, payload, payload.remaining());
        this.owner = owner;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        owner.release();
    }
}
