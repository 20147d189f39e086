package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.exporter.StrictScrape.Family;
import io.gpureclaimer.exporter.StrictScrape.ScrapedSample;
import io.gpureclaimer.exporter.cli.CommandLineArguments;
import io.gpureclaimer.exporter.cli.Invocation.Run;
import io.gpureclaimer.simulator.Profile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole agent against dcgm-exporter 4.8.2 on the same node: the set of metric names, each with
 * the names of its labels. Whatever differs stands here, with its reason. GPU 0 is held by a pod,
 * and GPU 1 has had an XID.
 */
@Timeout(180)
class DropInIT {
  private static final String XID = "DCGM_FI_DEV_XID_ERRORS";

  /** The rows of the file that dcgm-exporter has when it is given none. */
  private static final List<String> DEFAULT =
      words(
          """
          DCGM_FI_DEV_SM_CLOCK DCGM_FI_DEV_MEM_CLOCK DCGM_FI_DEV_MEMORY_TEMP DCGM_FI_DEV_GPU_TEMP
          DCGM_FI_DEV_POWER_USAGE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION
          DCGM_FI_DEV_PCIE_REPLAY_COUNTER DCGM_FI_DEV_GPU_UTIL DCGM_FI_DEV_MEM_COPY_UTIL
          DCGM_FI_DEV_ENC_UTIL DCGM_FI_DEV_DEC_UTIL DCGM_FI_DEV_XID_ERRORS DCGM_FI_DEV_FB_FREE
          DCGM_FI_DEV_FB_USED DCGM_FI_DEV_FB_RESERVED DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL
          DCGM_FI_DEV_VGPU_LICENSE_STATUS DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS
          DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS DCGM_FI_DEV_ROW_REMAP_FAILURE
          DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_PIPE_TENSOR_ACTIVE DCGM_FI_PROF_DRAM_ACTIVE
          DCGM_FI_PROF_PCIE_TX_BYTES DCGM_FI_PROF_PCIE_RX_BYTES
          """);

  /** The rows that stand in that file and are switched off. */
  private static final List<String> SWITCHED_OFF =
      words(
          """
          DCGM_FI_DEV_POWER_VIOLATION DCGM_FI_DEV_THERMAL_VIOLATION
          DCGM_FI_DEV_SYNC_BOOST_VIOLATION DCGM_FI_DEV_BOARD_LIMIT_VIOLATION
          DCGM_FI_DEV_LOW_UTIL_VIOLATION DCGM_FI_DEV_RELIABILITY_VIOLATION
          DCGM_FI_DEV_ECC_SBE_VOL_TOTAL DCGM_FI_DEV_ECC_DBE_VOL_TOTAL
          DCGM_FI_DEV_ECC_SBE_AGG_TOTAL DCGM_FI_DEV_ECC_DBE_AGG_TOTAL
          DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL
          DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL
          DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL
          DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL DCGM_FI_DEV_NVLINK_BANDWIDTH_L0
          DCGM_FI_PROF_SM_ACTIVE DCGM_FI_PROF_SM_OCCUPANCY DCGM_FI_PROF_PIPE_FP64_ACTIVE
          DCGM_FI_PROF_PIPE_FP32_ACTIVE DCGM_FI_PROF_PIPE_FP16_ACTIVE
          """);

  /** Of the same file, what the exporter works out. */
  private static final List<String> EXPORTER =
      words(
          """
          DCGM_EXP_XID_ERRORS_COUNT DCGM_EXP_CLOCK_EVENTS_COUNT DCGM_EXP_GPU_HEALTH_STATUS
          DCGM_EXP_P2P_STATUS
          """);

  /** Of the same file, the labels. */
  private static final String WORDS =
      "DCGM_FI_NVML_VERSION DCGM_FI_DEV_BRAND DCGM_FI_DEV_SERIAL DCGM_FI_DEV_OEM_INFOROM_VER"
          + " DCGM_FI_DEV_ECC_INFOROM_VER DCGM_FI_DEV_INFOROM_IMAGE_VER DCGM_FI_DEV_VBIOS_VERSION";

  /** All that the 1.x files ever had. */
  private static final List<String> LEGACY =
      words(
          """
          dcgm_sm_clock dcgm_memory_clock dcgm_memory_temp dcgm_gpu_temp dcgm_power_usage
          dcgm_total_energy_consumption dcgm_pcie_tx_throughput dcgm_pcie_rx_throughput
          dcgm_pcie_replay_counter dcgm_gpu_utilization dcgm_mem_copy_utilization
          dcgm_enc_utilization dcgm_dec_utilization dcgm_xid_errors dcgm_power_violation
          dcgm_thermal_violation dcgm_sync_boost_violation dcgm_board_limit_violation
          dcgm_low_util_violation dcgm_reliability_violation dcgm_fb_free dcgm_fb_used
          dcgm_ecc_sbe_volatile_total dcgm_ecc_dbe_volatile_total dcgm_ecc_sbe_aggregate_total
          dcgm_ecc_dbe_aggregate_total dcgm_retired_pages_sbe dcgm_retired_pages_dbe
          dcgm_retired_pages_pending dcgm_nvlink_flit_crc_error_count_total
          dcgm_nvlink_data_crc_error_count_total dcgm_nvlink_replay_error_count_total
          dcgm_nvlink_recovery_error_count_total dcgm_nvlink_bandwidth_total
          dcgm_fi_prof_gr_engine_active dcgm_fi_prof_sm_active dcgm_fi_prof_sm_occupancy
          dcgm_fi_prof_pipe_tensor_active dcgm_fi_prof_dram_active dcgm_fi_prof_pcie_tx_bytes
          dcgm_fi_prof_pcie_rx_bytes
          """);

  /** Of those, the ones that its file of compatibility has switched off. */
  private static final List<String> LEGACY_SWITCHED_OFF =
      LEGACY.stream()
          .filter(
              name ->
                  name.endsWith("_violation")
                      || name.startsWith("dcgm_ecc_")
                      || name.startsWith("dcgm_retired_")
                      || name.endsWith("_error_count_total")
                      || name.startsWith("dcgm_fi_prof_sm_"))
          .toList();

  /** The default rows as DCGM 4.7 calls them, in the units that dcgm-exporter 4.9 chose. */
  private static final List<String> BASE_UNITS =
      words(
          """
          DCGM_FI_DEV_SM_CLOCK_HERTZ DCGM_FI_DEV_MEMORY_CLOCK_HERTZ DCGM_FI_DEV_MEMORY_TEMP_CELSIUS
          DCGM_FI_DEV_GPU_TEMP_CELSIUS DCGM_FI_DEV_BOARD_POWER_WATTS
          DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL DCGM_FI_DEV_PCIE_REPLAY_TOTAL
          DCGM_FI_DEV_GPU_UTIL_RATIO DCGM_FI_DEV_MEMORY_UTIL_RATIO DCGM_FI_DEV_ENC_UTIL_RATIO
          DCGM_FI_DEV_DEC_UTIL_RATIO DCGM_FI_DEV_XID_ERROR DCGM_FI_DEV_FB_FREE_BYTES
          DCGM_FI_DEV_FB_USED_BYTES DCGM_FI_DEV_FB_RESERVED_BYTES
          DCGM_FI_DEV_NVLINK_THROUGHPUT_BYTES_PER_SECOND DCGM_FI_DEV_VGPU_LICENSE_STATUS
          DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL
          DCGM_FI_DEV_ROW_REMAP_FAILED DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO
          DCGM_FI_PROF_TENSOR_UTIL_RATIO DCGM_FI_PROF_DRAM_UTIL_RATIO DCGM_FI_PROF_PCIE_TX_BYTES
          DCGM_FI_PROF_PCIE_RX_BYTES
          """);

  private static final String DEVICE = "gpu UUID pci_bus_id device modelName ";
  private static final String PEERS = DEVICE + "Hostname DCGM_FI_DRIVER_VERSION";
  private static final String POD = " container namespace pod";
  private static final String ERROR = " err_code err_msg";
  private static final String PART = " GPU_I_PROFILE GPU_I_ID";

  private static final Pattern LABEL_VALUES =
      Pattern.compile(
          "label_values\\((?<metric>\\w+)"
              + "(?:\\{(?<matched>\\w+)=~\"(?<pattern>[^\"]*)\"})?,\\s*(?<label>\\w+)\\)");

  private static final String ZERO_FIRST =
      "0 until the first XID, where dcgm-exporter has no series at all";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  @TempDir Path folder;
  private Path script;
  private Path pods;
  private Service.@Nullable Running agent;

  @BeforeEach
  void prepare() throws IOException {
    script = folder.resolve("script.yaml");
    pods = folder.resolve("pods.yaml");
    Files.writeString(script, "- {gpu: 1, xids: [{code: 31, after: 0s}]}\n");
    Files.writeString(
        pods, "- {device: nvidia0, namespace: ml, pod: train-0, container: main, uid: u-1}\n");
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void hasTheSeriesOfDcgmExporter_whenTheNodeIsCalledAsThere() throws Exception {
    start("h100x8", "--compat", "4.8.2");

    awaitSeries(peers(DEFAULT, PEERS), untilTheFirstXid(XID, PEERS), Map.of());
  }

  /** Pages are retired before Ampere only, so of these rows an H100 has no series. */
  @Test
  void hasTheSeriesOfTheRowsThatAreSwitchedOff() throws Exception {
    Path file = folder.resolve("counters.csv");
    Files.writeString(
        file,
        rows(SWITCHED_OFF, "counter")
            + rows(words("DCGM_FI_DEV_RETIRED_SBE DCGM_FI_DEV_RETIRED_DBE"), "counter")
            + rows(EXPORTER, "gauge")
            + rows(words(WORDS + " DCGM_FI_DEV_POWER_INFOROM_VER"), "label"));
    start("h100x8", "-f", file.toString(), "--hostname-label", "Hostname");

    String labels = DEVICE + "Hostname " + WORDS;
    var theirs = new TreeSet<String>();
    for (String held : List.of("", POD)) {
      theirs.addAll(shapes(SWITCHED_OFF, labels + held));
      theirs.add(shape("DCGM_EXP_XID_ERRORS_COUNT", labels + held + " window_size_in_ms"));
      theirs.add(
          shape("DCGM_EXP_CLOCK_EVENTS_COUNT", labels + held + " window_size_in_ms clock_event"));
      theirs.add(
          shape("DCGM_EXP_GPU_HEALTH_STATUS", labels + held + " health_error_code health_watch"));
      theirs.add(shape("DCGM_EXP_P2P_STATUS", labels + held + " link_status peer_gpu"));
    }
    theirs.add(shape("DCGM_EXP_XID_ERRORS_COUNT", labels + " window_size_in_ms xid"));
    awaitSeries(theirs, Map.of(), Map.of());
  }

  /** Of each of the eighteen links of eight GPUs, of which one is in a pod's hands. */
  @Test
  void hasTheSeriesOfEachLink() throws Exception {
    var names =
        words(
            """
            DCGM_FI_DEV_NVLINK_GET_STATE DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL
            DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_PER_LINK_TOTAL
            DCGM_FI_DEV_NVLINK_REPLAY_ERROR_PER_LINK_TOTAL
            DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_PER_LINK_TOTAL
            DCGM_FI_DEV_NVLINK_THROUGHPUT_PER_LINK DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_PER_LINK
            DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_PER_LINK DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK
            DCGM_FI_PROF_NVLINK_RX_BYTES_PER_LINK
            """);
    Path file = folder.resolve("counters.csv");
    Files.writeString(file, rows(names, "gauge"));
    start("h100x8", "-f", file.toString(), "--hostname-label", "Hostname");

    String labels = "nvlink gpu gpu_uuid pci_bus_id device model_name Hostname";
    var theirs = shapes(names, labels);
    theirs.addAll(shapes(names, labels + POD));
    awaitSeries(theirs, Map.of(), Map.of());
    assertThat(dcgm(scrape()))
        .allSatisfy(
            family ->
                assertThat(family.samples())
                    .as(family.name())
                    .hasSize(8 * 18)
                    .extracting(sample -> sample.series().labels().get("nvlink"))
                    .containsOnly(upTo(18)));
  }

  private static String[] upTo(int last) {
    return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).toArray(String[]::new);
  }

  private static String rows(List<String> names, String type) {
    return names.stream()
        .map(name -> name + ", " + type + ", help\n")
        .collect(Collectors.joining());
  }

  @Test
  void callsTheNodeAsLaterVersionsDo_whenNothingIsSaid() throws Exception {
    start("h100x8");

    String labels = DEVICE + "hostname DCGM_FI_DRIVER_VERSION";
    awaitSeries(peers(DEFAULT, labels), untilTheFirstXid(XID, labels), Map.of());
  }

  @Test
  void hasTheOldNamesOfLabels_whenTheyAreAskedFor() throws Exception {
    start("h100x8", "-o", "--hostname-label", "Hostname");

    String labels = PEERS.replace("UUID", "uuid");
    String pod = labels + " container_name pod_namespace pod_name";
    var theirs = shapes(without(DEFAULT, XID), labels);
    theirs.addAll(shapes(without(DEFAULT, XID), pod));
    theirs.add(shape(XID, labels + ERROR));
    awaitSeries(theirs, Map.of(shape(XID, pod + ERROR), ZERO_FIRST), Map.of());
  }

  @Test
  void leavesTheNodeOut_whereDcgmExporterTakesTheFlagAndForgetsIt() throws Exception {
    start("h100x8", "-n");

    String labels = DEVICE + "DCGM_FI_DRIVER_VERSION";
    awaitSeries(peers(DEFAULT, labels), untilTheFirstXid(XID, labels), Map.of());
  }

  @Test
  void reportsWhatIsTheBoardsOnce_whereDcgmExporterRepeatsItOnEachInstance() throws Exception {
    Files.writeString(pods, "[]\n");
    start("h100x8-mig", "--hostname-label", "Hostname");

    var own =
        words(
            """
            DCGM_FI_DEV_FB_FREE DCGM_FI_DEV_FB_USED DCGM_FI_DEV_FB_RESERVED
            DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_PIPE_TENSOR_ACTIVE DCGM_FI_PROF_DRAM_ACTIVE
            """);
    var notWithMig =
        words(
            """
            DCGM_FI_DEV_GPU_UTIL DCGM_FI_DEV_MEM_COPY_UTIL DCGM_FI_DEV_ENC_UTIL
            DCGM_FI_DEV_DEC_UTIL
            """);
    var ofWholeGpusOnly = words("DCGM_FI_PROF_PCIE_TX_BYTES DCGM_FI_PROF_PCIE_RX_BYTES");
    var theirs = new TreeSet<String>();
    for (String name : DEFAULT) {
      if (!notWithMig.contains(name) && !ofWholeGpusOnly.contains(name) && !name.equals(XID)) {
        theirs.add(shape(name, PEERS + PART));
      }
    }
    var repeated = DEFAULT.stream().filter(name -> !own.contains(name)).toList();

    awaitSeries(
        theirs,
        reasons(
            shapes(
                DEFAULT.stream()
                    .filter(name -> !name.equals(XID))
                    .filter(name -> !notWithMig.contains(name) && !own.contains(name))
                    .toList(),
                PEERS),
            "the board has series of its own, with all that no instance reports",
            shapes(List.of(XID), PEERS + ERROR),
            "an XID is filed under its GPU"),
        reasons(
            shapes(repeated, PEERS + PART).stream()
                .filter(theirs::contains)
                .collect(Collectors.toCollection(TreeSet::new)),
            "what is the board's is not repeated on its instances: a sum would count it again"));
  }

  @Test
  void hasTheSeriesOfTheOldestVersions() throws Exception {
    start("h100x8", "--vocabulary", "1.x", "--hostname-label", "Hostname");

    String labels = DEVICE + "Hostname";
    var names = without(LEGACY, LEGACY_SWITCHED_OFF.toArray(String[]::new));
    assertThat(names).hasSize(22);
    awaitSeries(peers(names, labels), untilTheFirstXid("dcgm_xid_errors", labels), Map.of());
  }

  /** The T4 among them has retired pages, and the H100 has what only GPM reports. */
  @Test
  void understandsAllFortyOneNamesOfTheOldestVersions() throws Exception {
    assertThat(LEGACY).hasSize(41).doesNotHaveDuplicates();
    Path file = folder.resolve("counters.csv");
    Files.writeString(
        file, LEGACY.stream().map(n -> n + ", gauge, help\n").collect(Collectors.joining()));
    start("mixed", "-f", file.toString());

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(dcgm(scrape()))
                    .extracting(Family::name)
                    .containsExactlyInAnyOrderElementsOf(LEGACY));
  }

  @Test
  void hasTheSeriesOfTheNewestNames() throws Exception {
    start("h100x8", "--vocabulary", "dcgm-4.7");

    String labels = DEVICE + "hostname DCGM_FI_SYSTEM_DRIVER_VERSION";
    var ours = untilTheFirstXid("DCGM_FI_DEV_XID_ERROR", labels);
    var more = new TreeMap<>(ours);
    for (String held : List.of("", POD)) {
      more.put(
          shape("DCGM_FI_DEV_FB_CAPACITY_BYTES", labels + held),
          "so that a share of the memory can be worked out");
    }
    awaitSeries(peers(BASE_UNITS, labels), more, Map.of());
  }

  /**
   * As the migration guide has it: what is not there of the default rows, and what comes nearest.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NVIDIA H100 80GB HBM3  | ''
          NVIDIA A100-SXM4-80GB  | DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_PIPE_TENSOR_ACTIVE DCGM_FI_PROF_DRAM_ACTIVE DCGM_FI_PROF_PCIE_TX_BYTES DCGM_FI_PROF_PCIE_RX_BYTES
          Tesla T4               | DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_PIPE_TENSOR_ACTIVE DCGM_FI_PROF_DRAM_ACTIVE DCGM_FI_PROF_PCIE_TX_BYTES DCGM_FI_PROF_PCIE_RX_BYTES DCGM_FI_DEV_MEMORY_TEMP DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS DCGM_FI_DEV_ROW_REMAP_FAILURE
          """)
  void lacksOfTheDefaultRowsWhatTheGenerationDoesNotReport(String model, String lacking) {
    start("mixed", "--compat", "4.8.2");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(namesOf(model, scrape()))
                    .containsExactlyInAnyOrderElementsOf(
                        without(DEFAULT, words(lacking).toArray(String[]::new))));
  }

  @Test
  void servesWhatComesNearest_beforeHopper_whenTheFileNamesIt() throws IOException {
    Path file = folder.resolve("counters.csv");
    var names =
        words(
            """
            DCGM_FI_DEV_GPU_UTIL DCGM_FI_DEV_MEM_COPY_UTIL DCGM_FI_DEV_PCIE_TX_THROUGHPUT
            DCGM_FI_DEV_PCIE_RX_THROUGHPUT gpu_jpeg_utilization_ratio gpu_ofa_utilization_ratio
            """);
    Files.writeString(file, rows(names, "gauge"));
    start("mixed", "--compat", "4.8.2", "-f", file.toString());

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(namesOf("NVIDIA A100-SXM4-80GB", scrape()))
                    .containsAll(names)
                    .noneMatch(name -> name.contains("_PROF_")));
  }

  /** The metrics of the counters file that a card of this model has. */
  private static List<String> namesOf(String model, List<Family> families) {
    return families.stream()
        .filter(
            family ->
                family.samples().stream()
                    .map(sample -> sample.series().labels())
                    .anyMatch(
                        labels ->
                            labels.containsKey("device") && model.equals(labels.get("modelName"))))
        .map(Family::name)
        .toList();
  }

  /** Those of NVIDIA's own dashboard, of its older editions, and what others have on top. */
  @Test
  void fillsThePanelsOfTheKnownDashboards() {
    start("h100x8", "--compat", "4.8.2");
    var panels =
        List.of(
            // dcgm-exporter's own, as it was with 4.8.2: its two variables, then its panels
            new Panel("DCGM_FI_DEV_FB_FREE", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_GPU_TEMP", "Hostname gpu UUID"),
            new Panel("DCGM_FI_DEV_POWER_USAGE", "Hostname gpu UUID"),
            new Panel("DCGM_FI_DEV_SM_CLOCK", "Hostname gpu UUID"),
            new Panel("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Hostname gpu"),
            new Panel("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_FB_USED", "Hostname gpu"),
            // its older editions, by gpu and by Prometheus's own instance
            new Panel("DCGM_FI_DEV_GPU_UTIL", "gpu"),
            // tables and shares of memory
            new Panel("DCGM_FI_DEV_GPU_UTIL", "Hostname gpu modelName device UUID"),
            new Panel("DCGM_FI_DEV_MEM_COPY_UTIL", "Hostname gpu modelName"),
            new Panel("DCGM_FI_DEV_FB_RESERVED", "Hostname gpu UUID"),
            new Panel("DCGM_FI_DEV_MEMORY_TEMP", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_MEM_CLOCK", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_ENC_UTIL", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_DEC_UTIL", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_XID_ERRORS", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "Hostname gpu"),
            new Panel("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "Hostname gpu"),
            new Panel("DCGM_FI_PROF_DRAM_ACTIVE", "Hostname gpu"),
            new Panel("DCGM_FI_PROF_PCIE_TX_BYTES", "Hostname gpu"),
            new Panel("DCGM_FI_PROF_PCIE_RX_BYTES", "Hostname gpu"));

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              var families = dcgm(scrape());
              for (Panel panel : panels) {
                assertThat(gpusOf(families, panel.metric(), words(panel.labels())))
                    .as("%s", panel)
                    .hasSize(8);
              }
              // by pod, of the one GPU that a pod holds
              assertThat(gpusOf(families, "DCGM_FI_DEV_GPU_UTIL", words("namespace pod container")))
                  .containsExactly("0");
            });
  }

  @Test
  void fillsThePanelsByInstance_whereMigDividesTheGpus() throws Exception {
    Files.writeString(pods, "[]\n");
    start("h100x8-mig", "--hostname-label", "Hostname");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              var families = dcgm(scrape());
              for (String metric :
                  words(
                      """
                      DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_PIPE_TENSOR_ACTIVE
                      DCGM_FI_DEV_FB_USED DCGM_FI_DEV_FB_FREE
                      """)) {
                assertThat(gpusOf(families, metric, words("Hostname gpu" + PART)))
                    .as(metric)
                    .hasSize(56);
              }
            });
  }

  /**
   * The queries of the variables of two public dashboards that select nodes by {@code Hostname}: a
   * variable without values empties every panel.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dcgm-exporter's own | label_values(DCGM_FI_DEV_FB_FREE, Hostname)                     | node-a
          dcgm-exporter's own | label_values(DCGM_FI_DEV_FB_FREE{Hostname=~"$Hostname"}, gpu)   | 0 1 2 3 4 5 6 7
          grafana.com 23382   | label_values(DCGM_FI_DEV_FB_FREE,Hostname)                      | node-a
          grafana.com 23382   | label_values(DCGM_FI_DEV_FB_FREE,gpu)                           | 0 1 2 3 4 5 6 7
          grafana.com 23382   | label_values(DCGM_FI_DEV_FB_FREE,GPU_I_PROFILE)                 | 1g.10gb
          """)
  void fillsTheVariablesOfDashboardsByHostname(String dashboard, String query, String values)
      throws IOException {
    Files.writeString(pods, "[]\n");
    start("h100x8-mig", "--compat", "4.8.2");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(labelValues(query.replace("$Hostname", "node-a"), scrape()))
                    .as(dashboard)
                    .containsExactlyElementsOf(words(values)));
  }

  /** What Grafana makes of such a query, which has one matcher at most. */
  private static Set<String> labelValues(String query, List<Family> families) {
    Matcher parts = LABEL_VALUES.matcher(query);
    assertThat(parts.matches()).as(query).isTrue();
    return families.stream()
        .filter(family -> family.name().equals(parts.group("metric")))
        .flatMap(family -> family.samples().stream())
        .map(sample -> sample.series().labels())
        .filter(
            labels ->
                parts.group("matched") == null
                    || labels
                        .getOrDefault(parts.group("matched"), "")
                        .matches(parts.group("pattern")))
        .flatMap(labels -> Stream.ofNullable(labels.get(parts.group("label"))))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> untilTheFirstXid(String name, String labels) {
    return Map.of(shape(name, labels + ERROR + POD), ZERO_FIRST);
  }

  /** What a panel asks for, and the labels by which it chooses and groups. */
  private record Panel(String metric, String labels) {}

  /** A row is there plain and, of GPU 0, with its pod; the last XID only where there was one. */
  private static Set<String> peers(List<String> names, String labels) {
    var xid = names.stream().filter(name -> name.toLowerCase(Locale.ROOT).contains("xid"));
    String error = xid.findFirst().orElseThrow();
    var shapes = shapes(without(names, error), labels);
    shapes.addAll(shapes(without(names, error), labels + POD));
    shapes.add(shape(error, labels + ERROR));
    return shapes;
  }

  private void awaitSeries(
      Set<String> theirs, Map<String, String> onlyOurs, Map<String, String> onlyTheirs)
      throws IOException, InterruptedException {
    var expected = new TreeSet<>(theirs);
    assertThat(expected).containsAll(onlyTheirs.keySet());
    assertThat(onlyOurs.keySet()).doesNotContainAnyElementsOf(expected);
    expected.removeAll(onlyTheirs.keySet());
    expected.addAll(onlyOurs.keySet());
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(shapesOf(scrape())).isEqualTo(expected));
    assertThat(scrape())
        .extracting(Family::name)
        .allMatch(name -> name.matches("(?:DCGM_FI_|DCGM_EXP_|dcgm_|gpu_|process_)\\w+"));
  }

  private static Set<String> shapesOf(List<Family> scrape) {
    return dcgm(scrape).stream()
        .flatMap(family -> family.samples().stream())
        .map(ScrapedSample::series)
        .map(series -> series.name() + new TreeSet<>(series.labels().keySet()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Family> dcgm(List<Family> scrape) {
    return scrape.stream().filter(family -> family.name().matches("(?:DCGM|dcgm)_.*")).toList();
  }

  /** One entry for each series of the metric that has all these labels. */
  private static List<String> gpusOf(List<Family> families, String metric, List<String> labels) {
    return families.stream()
        .filter(family -> family.name().equals(metric))
        .flatMap(family -> family.samples().stream())
        .map(sample -> sample.series().labels())
        .filter(has -> has.keySet().containsAll(labels))
        .map(has -> String.valueOf(has.get("gpu")))
        .toList();
  }

  private static Map<String, String> reasons(Collection<String> shapes, String reason) {
    return shapes.stream().collect(Collectors.toMap(shape -> shape, _ -> reason));
  }

  private static Map<String, String> reasons(
      Collection<String> shapes, String reason, Collection<String> others, String another) {
    var all = new TreeMap<>(reasons(shapes, reason));
    all.putAll(reasons(others, another));
    return all;
  }

  private static Set<String> shapes(List<String> names, String labels) {
    return names.stream()
        .map(name -> shape(name, labels))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String shape(String name, String labels) {
    return name + new TreeSet<>(words(labels));
  }

  private static List<String> without(List<String> names, String... some) {
    var rest = new ArrayList<>(names);
    rest.removeAll(List.of(some));
    return rest;
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  private void start(String profile, String... flags) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--simulate",
                profile,
                "--simulate-script",
                script.toString(),
                "--pods-file",
                pods.toString(),
                "-a",
                "127.0.0.1:0",
                "-c",
                "200"));
    arguments.addAll(List.of(flags));
    var invocation =
        new CommandLineArguments(Map.of("NODE_NAME", "node-a"), Profile.names(), "1")
            .parse(arguments.toArray(String[]::new));
    assertThat(invocation).isInstanceOf(Run.class);
    var started = Service.start("gpu-exporter", ((Run) invocation).properties());
    assertThat(started).isInstanceOf(Service.Running.class);
    agent = (Service.Running) started;
  }

  private List<Family> scrape() throws IOException, InterruptedException {
    int port = Optional.ofNullable(agent).orElseThrow().port();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .timeout(Duration.ofSeconds(30))
            .build();
    return StrictScrape.parse(client.send(request, BodyHandlers.ofByteArray()).body());
  }
}
