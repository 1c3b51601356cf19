package io.hawser.store;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.store", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /**
     * Classes that keep a thread or a clock of their own, each with its reason: {@code ArrivingObject} blocks a far server's thread;
     * {@code DescriptorWait} blocks the caller's; {@code NodeDirectory} makes an id before there is a store.
     */
    private static final DescribedPredicate<JavaClass> RUN_BY_A_SCHEDULE = not(resideInAPackage(
                    "io.hawser.store.runtime"))
            .and(not(nameMatching(".*\\.(ArrivingObject|DescriptorWait|NodeDirectory)")));

    @ArchTest
    static final ArchRule STORES_MAKE_NO_THREADS = ModuleRules.noThreadsOfTheirOwn(RUN_BY_A_SCHEDULE);

    @ArchTest
    static final ArchRule STORES_HAVE_NO_CLOCK_AND_NO_DICE = ModuleRules.noClockAndNoDice(RUN_BY_A_SCHEDULE);

    private static final String SPACE = "io.hawser.store.space..";

    @ArchTest
    static final ArchRule SPACE_DOES_NO_IO = ModuleRules.noInputOutput(SPACE);

    @ArchTest
    static final ArchRule SPACE_LOGS_NOTHING = ModuleRules.nothingIsLogged(SPACE);

    @ArchTest
    static final ArchRule SPACE_KNOWS_NO_OTHER_STORE = noClasses()
            .that()
            .resideInAPackage(SPACE)
            .should()
            .dependOnClassesThat(resideInAPackage("io.hawser.store..").and(not(resideInAPackage(SPACE))));

    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.store..");

    @ArchTest
    static final ArchRule STORES_REACH_THE_DISK_BY_STORAGE = noClasses()
            .that()
            .resideOutsideOfPackages("io.hawser.store.storage..", "io.hawser.store.check..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, FileChannel.class, java.io.RandomAccessFile.class);

    @ArchTest
    static final ArchRule STORES_KNOW_NO_SOCKETS =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.hawser.store.(*)..").should().beFreeOfCycles();
}
