package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.common.program.ListenAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address to listen on, as a flag. */
final class AddressArgument implements ITypeConverter<ListenAddress> {
  @Override
  public ListenAddress convert(String text) {
    try {
      return ListenAddress.of(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + ", was " + text);
    }
  }
}
