package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.exporter.collect.DcgmFields.field;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_GET_STATE;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX;
import static io.gpureclaimer.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Rate;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.LinkError;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The fields that have a value for each NVLink, distinguished by its number; DCGM counts from 1. A
 * link that the board does not have answers nothing.
 */
final class LinkTable {
  /** Of the fifth generation. */
  private static final int LINKS = 36;

  private static final int FIRST_RECEIVED = 62;
  private static final int FIRST_RECEIVED_OF_THE_FIFTH = 212;

  private LinkTable() {}

  static List<FieldRow> fieldRows() {
    List<FieldRow> rows = new ArrayList<>();
    for (int number = 0; number < LINKS; number++) {
      List<Label> link = link(number);
      Field sent = Field.ofLink(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, number);
      Field received = Field.ofLink(NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX, number);
      rows.add(
          FieldRow.link(
              "DEV_NVLINK_GET_STATE", link, Field.ofLink(NVML_FI_DEV_NVLINK_GET_STATE, number)));
      rows.add(new Rate(field("DEV_NVLINK_THROUGHPUT_PER_LINK"), link, List.of(sent, received)));
      rows.add(new Rate(field("DEV_NVLINK_TX_THROUGHPUT_PER_LINK"), link, List.of(sent)));
      rows.add(new Rate(field("DEV_NVLINK_RX_THROUGHPUT_PER_LINK"), link, List.of(received)));
    }
    return rows;
  }

  static List<NumberRow> numberRows() {
    return IntStream.range(0, LINKS)
        .boxed()
        .flatMap(
            number ->
                Stream.of(
                    errors("CRC_FLIT", LinkError.CRC_FLIT, number),
                    errors("CRC_DATA", LinkError.CRC_DATA, number),
                    errors("REPLAY", LinkError.REPLAY, number),
                    errors("RECOVERY", LinkError.RECOVERY, number)))
        .toList();
  }

  private static NumberRow errors(String name, LinkError kind, int number) {
    return new NumberRow(
        field("DEV_NVLINK_" + name + "_ERROR_PER_LINK_TOTAL"),
        link(number),
        DeviceNumbers.linkErrors(kind, number),
        OptionalDouble::of);
  }

  static List<GpmRow> gpmRows() {
    List<GpmRow> rows = new ArrayList<>();
    for (int number = 0; number < LINKS; number++) {
      rows.add(GpmRow.bytes("PROF_NVLINK_TX_BYTES_PER_LINK", link(number), received(number) + 1));
      rows.add(GpmRow.bytes("PROF_NVLINK_RX_BYTES_PER_LINK", link(number), received(number)));
    }
    return rows;
  }

  /** The number of the metric; that of what was sent follows it. */
  private static int received(int number) {
    return number < BulkFieldTable.LINKS
        ? FIRST_RECEIVED + 2 * number
        : FIRST_RECEIVED_OF_THE_FIFTH + 2 * (number - BulkFieldTable.LINKS);
  }

  private static List<Label> link(int number) {
    return List.of(new Label(Labels.NVLINK, Integer.toString(number + 1)));
  }
}
