package io.gpureclaimer.reclaimer.evidence.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.rules.RulesFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/**
 * Scrape targets that expose what the agents of a large cluster do: the ledger, thirteen metrics of
 * dcgm-exporter and the three clocks of the recording rules for each GPU, two GPUs for each pod,
 * and the CPU of the pods. A hundred and fifty nodes answer as one target. Three of four pods work:
 * their last activity and the end of each observation move, everything else stands still.
 */
final class SeriesAtScale implements AutoCloseable {
  private static final int NAMESPACES = 2_000;
  private static final int GPUS_PER_NODE = 8;
  private static final int GPUS_PER_TARGET = 1_200;
  private static final List<String> BOARD =
      List.of(
          "DCGM_FI_DEV_GPU_UTIL",
          "DCGM_FI_DEV_ENC_UTIL",
          "DCGM_FI_DEV_DEC_UTIL",
          "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
          "DCGM_FI_PROF_SM_ACTIVE",
          "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
          "DCGM_FI_PROF_DRAM_ACTIVE",
          "DCGM_FI_DEV_POWER_USAGE",
          "DCGM_FI_DEV_FB_USED",
          "DCGM_FI_PROF_PCIE_TX_BYTES",
          "DCGM_FI_PROF_PCIE_RX_BYTES",
          "DCGM_FI_PROF_NVLINK_TX_BYTES",
          "DCGM_FI_PROF_NVLINK_RX_BYTES");

  private static final long MILLIS_PER_SECOND = 1_000;

  private final int gpus;
  private final long start;
  private final HttpServer server;
  private final List<byte[]> texts;

  /**
   * @param gpus a multiple of 8
   * @param now Unix time in seconds
   */
  SeriesAtScale(int gpus, long now) throws IOException {
    this.gpus = gpus;
    this.start = now - 86_000;
    texts = new ArrayList<>();
    for (int from = 0; from < gpus; from += GPUS_PER_TARGET) {
      texts.add(text(from, Math.min(from + GPUS_PER_TARGET, gpus), now));
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** A configuration that scrapes all of it. */
  String configuration(String interval, String queryLog) {
    String targets =
        IntStream.range(0, texts.size())
            .mapToObj(
                i ->
                    """
                      - job_name: agents-I
                        honor_labels: true
                        metrics_path: /I
                        static_configs: [{targets: ["TARGET"]}]
                    """
                        .replace("I", Integer.toString(i)))
            .collect(Collectors.joining());
    return """
    global: {scrape_interval: INTERVAL, scrape_timeout: INTERVAL, query_log_file: "LOG"}
    scrape_configs:
    """
        .replace("INTERVAL", interval)
        .replace("LOG", queryLog)
        .concat(targets.replace("TARGET", "127.0.0.1:" + server.getAddress().getPort()));
  }

  /** The pods as the cluster knows them. */
  List<PodIdentity> pods() {
    return IntStream.range(0, gpus / 2)
        .mapToObj(
            pod ->
                new PodIdentity(
                    uid(pod),
                    new PodName("team-" + pod % NAMESPACES, "train-" + pod + "-0"),
                    Optional.of(Instant.EPOCH)))
        .toList();
  }

  /** Idle pods, but every fifth, from which nothing can follow yet. */
  Map<String, LeftOut> leavable() {
    return IntStream.range(0, gpus / 2)
        .filter(pod -> isIdle(2 * pod) && pod / 8 % 5 != 0)
        .boxed()
        .collect(Collectors.toMap(SeriesAtScale::uid, _ -> LeftOut.RECORD));
  }

  /** Digits as of a random UID, of which each is as frequent. */
  private static String uid(int pod) {
    return new UUID(0x4000L + pod * 0x9E3779B97F4A7C15L, pod * 0xC2B2AE3D27D4EB4FL + pod % 7)
        .toString();
  }

  int targets() {
    return texts.size();
  }

  private void answer(HttpExchange exchange) throws IOException {
    int target = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
    byte[] still = texts.get(target);
    byte[] moving =
        moving(target * GPUS_PER_TARGET, System.currentTimeMillis() / MILLIS_PER_SECOND);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    exchange.sendResponseHeaders(200, still.length + moving.length);
    exchange.getResponseBody().write(still);
    exchange.getResponseBody().write(moving);
    exchange.close();
  }

  private static byte[] text(int from, int to, long now) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(new GZIPOutputStream(bytes), false, StandardCharsets.UTF_8)) {
      out.print("gpu_exporter_build_info{hostname=\"node-" + from / GPUS_PER_NODE + "\"} 1\n");
      for (int gpu = from; gpu < to; gpu++) {
        device(out, gpu, now);
        if (gpu % 2 == 0) {
          pod(out, gpu);
        }
      }
    }
    return bytes.toByteArray();
  }

  /** Compressed by itself: parts that are compressed one by one are one text. */
  private byte[] moving(int from, long now) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(new GZIPOutputStream(bytes), false, StandardCharsets.UTF_8)) {
      for (int gpu = from; gpu < Math.min(from + GPUS_PER_TARGET, gpus); gpu++) {
        out.print(LedgerMetrics.OBSERVED_UNTIL + labels(gpu) + now + "\n");
        if (!isIdle(gpu)) {
          out.print(LedgerMetrics.LAST_ACTIVE + labels(gpu) + now + "\n");
        }
        out.print(
            LedgerMetrics.LAST_SIGNAL + signalLabels(gpu) + (isIdle(gpu) ? start : now) + "\n");
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isIdle(int gpu) {
    return gpu % 16 < 4;
  }

  private static String labels(int gpu) {
    return "{UUID=\"GPU-00000000-1111-2222-3333-"
        + (100_000_000 + gpu)
        + "\",gpu=\""
        + gpu % GPUS_PER_NODE
        + "\",hostname=\"node-"
        + gpu / GPUS_PER_NODE
        + "\",container=\"main\","
        + podLabels(gpu)
        + "} ";
  }

  /** Of an idle GPU whose board last showed work when its model was loaded. */
  private static String signalLabels(int gpu) {
    return labels(gpu)
        .replace(
            "} ",
            ",signal=\""
                + (isIdle(gpu) ? "memory" : "power")
                + "\",watched=\"memory,nvlink,pcie,power\"} ");
  }

  private static void device(PrintStream out, int gpu, long now) {
    String labels = labels(gpu);
    boolean idle = isIdle(gpu);
    out.print(LedgerMetrics.OBSERVED_SINCE + labels + (now - 86_400) + "\n");
    out.print(LedgerMetrics.BUSY + labels + (idle ? 0 : 1_000) + "\n");
    out.print(RulesFormat.LAST_ACTIVE + labels + (now - (idle ? 86_400 : 10)) + "\n");
    out.print(RulesFormat.OBSERVED_SINCE + labels + (now - 86_400) + "\n");
    out.print(RulesFormat.SAMPLED + labels + now + "\n");
    String board = labels.replace("{", "{modelName=\"NVIDIA H100 80GB HBM3\",");
    BOARD.forEach(name -> out.print(name + board + (idle ? 0 : 1) + "\n"));
  }

  private static void pod(PrintStream out, int gpu) {
    String labels = "{hostname=\"node-" + gpu / GPUS_PER_NODE + "\"," + podLabels(gpu) + "} ";
    out.print(LedgerMetrics.DEVICE_COUNT + labels + "2\n");
    out.print(
        "container_cpu_usage_seconds_total"
            + labels.replace("} ", ",container=\"main\"} ")
            + "100\n");
  }

  private static String podLabels(int gpu) {
    int pod = gpu / 2;
    return "namespace=\"team-"
        + pod % NAMESPACES
        + "\",pod=\"train-"
        + pod
        + "-0\",pod_uid=\""
        + uid(pod)
        + "\"";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
