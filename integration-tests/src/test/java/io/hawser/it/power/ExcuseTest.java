package io.hawser.it.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.power.FaultPoints.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcuseTest {
    @ParameterizedTest
    @CsvSource({
        "EIO, /data/log/spare-3.tmp, '', true",
        "EIO, /data/log, /x/data/log/spare-3, true",
        "EIO, /data/journal, /x/data/journal/spare-1, true",
        "EIO, /data/log, /x/data/log/00000000000000000002.log, false",
        "EIO, /data/journal, /x/data/journal/00000000000000000002.log, false",
        "EIO, /data/log, '', false",
        "EIO, /data/log/00000000000000000001.log, /x/data/log/spare-3, false",
        "EIO, /data/index/broker.mv.db, '', true",
        "ENOSPC, /delivered/.hawser/files/1.part, '', true",
        "EIO, /delivered/.hawser/files/1.part, '', false",
    })
    void onlyWhatIsNotWorthANodesLifeIsExcused(Fault fault, String file, String before, boolean excused) {
        assertThat(Excuse.mayGoOn(fault, file, before)).isEqualTo(excused);
    }
}
