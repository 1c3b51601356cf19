package io.hawser.broker;

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

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.broker", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String RELAY = "io.hawser.broker.relay..";
    /** Pure by the rules of its own module. */
    private static final String PURE_SPACE = "io.hawser.store.space..";

    @ArchTest
    static final ArchRule RELAY_DOES_NO_IO = ModuleRules.noInputOutput(RELAY);

    @ArchTest
    static final ArchRule RELAY_HAS_NO_CLOCK_AND_NO_DICE = ModuleRules.noClockAndNoDice(RELAY);

    @ArchTest
    static final ArchRule RELAY_LOGS_NOTHING = ModuleRules.nothingIsLogged(RELAY);

    @ArchTest
    static final ArchRule RELAY_KNOWS_NO_STORE_AND_NO_SESSION = noClasses()
            .that()
            .resideInAPackage(RELAY)
            .should()
            .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                            "io.hawser.store..",
                            "io.hawser.ops..",
                            "io.hawser.core.transport..",
                            "io.hawser.core.wire..",
                            "io.hawser.broker.store..",
                            "io.hawser.broker.session..")
                    .and(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage(PURE_SPACE))));

    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.broker..");

    @ArchTest
    static final ArchRule NETTYS_HTTP_IS_THE_HTTP_SERVERS = ModuleRules.nettysHttpIsTheHttpServers();

    @ArchTest
    static final ArchRule BROKER_KNOWS_NO_AGENT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.hawser.agenta..", "io.hawser.agentb..", "io.hawser.it..");

    @ArchTest
    static final ArchRule SQL_IS_THE_INDEXS = noClasses()
            .that()
            .haveNameNotMatching(
                    "io\\.hawser\\.broker\\.store\\.local\\.(H2Index|IndexDatabase|IndexFiles|MemoryIndex|H2RowCursor|IndexRowsCheck|PlacesCheck|SnapshotCheck|SqlStatements|[A-Za-z]+Table).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.h2..");

    @ArchTest
    static final ArchRule STORES_INTERFACE_KNOWS_NO_IMPLEMENTATION = noClasses()
            .that()
            .resideInAPackage("io.hawser.broker.store")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.hawser.broker.store.local..");

    @ArchTest
    static final ArchRule STORE_REACHES_DISKS_THROUGH_STORAGE = noClasses()
            .that()
            .resideInAPackage("io.hawser.broker.store..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.io\\.(File|RandomAccessFile).*|java\\.nio\\.file\\.Files|java\\.nio\\.channels\\..*");

    /** But for {@code IndexComparison}, which is of {@code hawser fsck}. */
    private static final DescribedPredicate<JavaClass> RUN_BY_A_SCHEDULE =
            resideInAPackage("io.hawser.broker.store..").and(not(nameMatching(".*\\.IndexComparison")));

    @ArchTest
    static final ArchRule STORE_MAKES_NO_THREADS = ModuleRules.noThreadsOfTheirOwn(RUN_BY_A_SCHEDULE);

    @ArchTest
    static final ArchRule STORE_HAS_NO_CLOCK_AND_NO_DICE = ModuleRules.noClockAndNoDice(RUN_BY_A_SCHEDULE);

    @ArchTest
    static final ArchRule STORE_KNOWS_NO_SESSION = noClasses()
            .that()
            .resideInAPackage("io.hawser.broker.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.broker.session..", "io.hawser.broker.admin..", "io.hawser.ptcp..", "io.netty.channel..");

    @ArchTest
    static final ArchRule DISKS_ARE_COMMONS =
            noClasses().should().dependOnClassesThat().belongToAnyOf(FileChannel.class);

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.hawser.broker.(*)..").should().beFreeOfCycles();
}
