package io.hawser.core.buffer;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;

/** A Netty view of a fragment buffer's payload; Netty's release of the view releases one reference of the buffer. */
final class FragmentByteBuf extends UnpooledDirectByteBuf {
    private final FragmentBuffer owner;

    /** Takes over one reference to {@code owner}. */
    FragmentByteBuf(FragmentBuffer owner, ByteBuffer payload) {
        super(UnpooledByteBufAllocator.DEFAULT, payload, payload.remaining());
        this.owner = owner;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        owner.release();
    }
}
