package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.fields.GpmRow.bytes;
import static io.gpureclaimer.exporter.collect.fields.GpmRow.plain;
import static io.gpureclaimer.exporter.collect.fields.GpmRow.share;

import java.util.ArrayList;
import java.util.List;

/** The profiling fields, which only GPM reports, with their exact scales. */
final class GpmTable {
  private static final int ENGINES = 8;
  private static final int FIRST_DECODER = 30;
  private static final int FIRST_JPEG = 40;
  private static final int FIRST_LINK_RECEIVED = 62;
  private static final int FIRST_LINK_SENT = 63;
  private static final int FIRST_TOTAL = 248;

  /** In DCGM's order, which is NVML's too. */
  private static final List<String> TOTALS =
      List.of(
          "SM_CYCLES_ELAPSED_TOTAL",
          "SM_CYCLES_ACTIVE_TOTAL",
          "MMA_CYCLES_ACTIVE_TOTAL",
          "DMMA_CYCLES_ACTIVE_TOTAL",
          "HMMA_CYCLES_ACTIVE_TOTAL",
          "IMMA_CYCLES_ACTIVE_TOTAL",
          "DFMA_CYCLES_ACTIVE_TOTAL",
          "PCIE_TX_BYTES_TOTAL",
          "PCIE_RX_BYTES_TOTAL",
          "INT_CYCLES_ACTIVE_TOTAL",
          "FP64_CYCLES_ACTIVE_TOTAL",
          "FP32_CYCLES_ACTIVE_TOTAL",
          "FP16_CYCLES_ACTIVE_TOTAL");

  private GpmTable() {}

  static List<GpmRow> rows() {
    List<GpmRow> rows = new ArrayList<>();
    rows.addAll(shares());
    rows.addAll(throughputs());
    for (int i = 0; i < ENGINES; i++) {
      rows.add(share("PROF_NVDEC" + i + "_ACTIVE", FIRST_DECODER + i));
      rows.add(share("PROF_NVJPG" + i + "_ACTIVE", FIRST_JPEG + i));
    }
    for (int link = 0; link < BulkFieldTable.LINKS; link++) {
      rows.add(bytes("PROF_NVLINK_L" + link + "_TX_BYTES", FIRST_LINK_SENT + 2 * link));
      rows.add(bytes("PROF_NVLINK_L" + link + "_RX_BYTES", FIRST_LINK_RECEIVED + 2 * link));
    }
    rows.addAll(LinkTable.gpmRows());
    for (int i = 0; i < TOTALS.size(); i++) {
      rows.add(plain("PROF_" + TOTALS.get(i), FIRST_TOTAL + i));
    }
    return rows;
  }

  private static List<GpmRow> shares() {
    return List.of(
        share("PROF_GR_ENGINE_ACTIVE", 1),
        share("PROF_SM_ACTIVE", 2),
        share("PROF_SM_OCCUPANCY", 3),
        share("PROF_PIPE_TENSOR_ACTIVE", 5),
        share("PROF_DRAM_ACTIVE", 10),
        share("PROF_PIPE_FP64_ACTIVE", 11),
        share("PROF_PIPE_FP32_ACTIVE", 12),
        share("PROF_PIPE_FP16_ACTIVE", 13),
        share("PROF_PIPE_TENSOR_IMMA_ACTIVE", 9),
        share("PROF_PIPE_TENSOR_HMMA_ACTIVE", 7),
        share("PROF_PIPE_TENSOR_DFMA_ACTIVE", 6),
        share("PROF_PIPE_INT_ACTIVE", 4),
        share("PROF_NVOFA0_ACTIVE", 50),
        share("PROF_NVOFA1_ACTIVE", 51),
        plain("PROF_HOSTMEM_CACHE_HIT", 160),
        plain("PROF_HOSTMEM_CACHE_MISS", 161),
        plain("PROF_PEERMEM_CACHE_HIT", 162),
        plain("PROF_PEERMEM_CACHE_MISS", 163));
  }

  private static List<GpmRow> throughputs() {
    return List.of(
        bytes("PROF_PCIE_TX_BYTES", 20),
        bytes("PROF_PCIE_RX_BYTES", 21),
        bytes("PROF_NVLINK_TX_BYTES", 61),
        bytes("PROF_NVLINK_RX_BYTES", 60),
        bytes("PROF_C2C_TX_ALL_BYTES", 100),
        bytes("PROF_C2C_TX_DATA_BYTES", 102),
        bytes("PROF_C2C_RX_ALL_BYTES", 101),
        bytes("PROF_C2C_RX_DATA_BYTES", 103));
  }
}
