# frozen_string_literal: true

require 'rspec/core'

# Results prints a line for each test: pass, fail or skip, the name of the test, and the message of the error.
class Results
  RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending, :message

  def initialize(output)
    @output = output
  end

  def example_passed(notification)
    line('pass', notification.example)
  end

  def example_failed(notification)
    line('fail', notification.example, notification.exception.message)
  end

  def example_pending(notification)
    line('skip', notification.example)
  end

  # Errors outside of examples, such as a file that cannot be loaded, come as messages.
  def message(notification)
    text = notification.message
    line_of('fail', 'outside of examples', text) if text.include?('error')
  end

  private

  def line(status, example, message = '')
    line_of(status, "#{example.file_path.delete_prefix('./')}: #{example.full_description}", message)
  end

  def line_of(status, name, message)
    clean = [name, message].map { |text| text.dup.force_encoding('UTF-8').scrub.gsub(/\s+/, ' ').strip[0, 300] }
    @output.puts([status, *clean].join("\t"))
    @output.flush
  end
end
